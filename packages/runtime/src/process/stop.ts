/** Resolves at the first SIGINT or SIGTERM; a second one exits at once. */
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
