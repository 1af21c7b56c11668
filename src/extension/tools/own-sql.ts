/** What is said of a statement that the reviewer wrote: nobody else can say what it means. */
export const ownSqlExplanation = "The reviewer’s own SQL, run as it was written.";
