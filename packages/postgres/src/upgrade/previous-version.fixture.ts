import type * as Version from './program.fixture.ts'

/** Written by `pnpm previous-version`: a bundle of the previous version, and its migrations. */
export const previousVersionFolder: URL = new URL('../../previous-version/', import.meta.url)

const bundle = new URL('build/program/program.mjs', previousVersionFolder)

/**
 * The previous version of what `program.fixture.ts` exports.
 *
 * Its types are today's, which is right for what the tests use: functions of plain values, and its own
 * contract suites over its own stores.
 */
export const previousVersion = async (): Promise<typeof Version> =>
  (await import(bundle.href)) as typeof Version
