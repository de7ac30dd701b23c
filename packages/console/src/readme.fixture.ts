import { type ConsoleFiles, consoleFiles } from '@quipu/console'

/** The console for a listener that serves `page` at `/console` and `assets` below `/console/assets`. */
export const served = (): Promise<ConsoleFiles> => consoleFiles()
