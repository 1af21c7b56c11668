/** Changes of one workspace's files wait for each other. */

const queues = new Map<string, Promise<unknown>>();

/** Within this process, which is the only server of its home. */
export function oneAfterTheOther<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const mine = (queues.get(folder) ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => undefined); // told to the one who asked
  queues.set(folder, settled);
  void settled.then(() => {
    if (queues.get(folder) === settled) queues.delete(folder);
  });
  return mine;
}
