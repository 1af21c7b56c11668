/** Milliseconds of processor time that this process has had: for work of its own, so that other work on the machine doesn't count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
