/**
 * The command line in the process of a test.
 *
 * @module @quipu/admin/testing
 */
export { runCommand } from './run-command.ts'
