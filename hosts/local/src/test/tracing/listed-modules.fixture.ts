import { registerHooks } from 'node:module'

// Preloaded into a program: writes the packages of OpenTelemetry that the program loads to its standard error.
const seen = new Set<string>()
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /node_modules\/(@opentelemetry\/[^/]+)\/(?!.*node_modules)/.exec(url) ?? []
    if (name !== undefined && !seen.has(name)) {
      seen.add(name)
      process.stderr.write(`loads ${name}\n`)
    }
    return nextLoad(url, context)
  },
})
