/**
 * Resolves at the first SIGINT or SIGTERM; a second one exits at once. Call it before anything is started: until
 * then a signal ends the process without a stop.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.once(name, () => process.exit(1))
      resolve(name)
    })
  }
  return promise
}
