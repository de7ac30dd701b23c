/**
 * The common parts of the command lines: tables, members of an object, and the words that complete a command.
 *
 * @module @quipu/client/terminal
 */
export { isObject, memberAt, type Output, visible, writeLines } from './terminal/output/cell.ts'
export { details } from './terminal/output/details.ts'
export { table, type Table } from './terminal/output/table.ts'
export { addCompletionCommand, completions } from './terminal/completion/completion.ts'
