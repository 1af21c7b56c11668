/** An identifier as PostgreSQL quotes it; always quoted. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
