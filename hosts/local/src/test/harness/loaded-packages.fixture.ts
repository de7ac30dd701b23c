// Preloaded into a program: writes the npm packages that it has loaded to LOADED_PACKAGES when it ends.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { packageOf } from './packages.fixture.ts'

const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    const name = packageOf(decodeURIComponent(url))
    if (name !== undefined) loaded.add(name)
    return next(url, context)
  },
})
process.once('exit', () => {
  const file = process.env['LOADED_PACKAGES']
  if (file !== undefined) writeFileSync(file, JSON.stringify([...loaded]))
})
