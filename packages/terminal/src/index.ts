/**
 * What the command lines share: tables, members of an object, and the words that complete a command.
 *
 * @module @quipu/terminal
 */
export { isObject, memberAt, visible } from './output/cell.ts'
export { details } from './output/details.ts'
export { table, type Table } from './output/table.ts'
export { type Suggestion, suggestions } from './completion/suggestions.ts'
