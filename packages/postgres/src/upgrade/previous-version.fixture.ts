import type * as Version from './program.fixture.ts'

/** Written by `pnpm previous-version`: a bundle, and the migrations of its time. */
export const previousVersionFolder: URL = new URL('../../previous-version/', import.meta.url)

const bundle = new URL('build/program/program.mjs', previousVersionFolder)

/**
 * The previous version of what `program.fixture.ts` exports.
 *
 * Its types are today's. They describe it as far as a test hands it plain values, and connects its
 * contract suites with its own stores.
 */
export const previousVersion = async (): Promise<typeof Version> =>
  (await import(bundle.href)) as typeof Version
