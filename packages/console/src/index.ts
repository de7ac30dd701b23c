/**
 * The operators' console: a page that calls the operator API and loads nothing from elsewhere.
 *
 * @module @quipu/console
 */
import { builtAssets } from '#assets'
import { type ConsoleFiles, filesOf } from './console-files.ts'

export type { ConsoleFile, ConsoleFiles } from './console-files.ts'

/** The console. In a clone it is built from its sources; a build has built it before. */
export const consoleFiles = async (): Promise<ConsoleFiles> => filesOf(await builtAssets())
