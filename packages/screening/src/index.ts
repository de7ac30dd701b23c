/**
 * Screening of senders, merchants and tenants: adapters of the `Screening` port of `@quipu/core`.
 *
 * @module @quipu/screening
 */
export { type FileScreening, fileScreening, type FileScreeningOptions } from './file-screening.ts'
export { httpScreening, type HttpScreening, type HttpScreeningOptions } from './http-screening.ts'
export { openScreening, type OpenedScreening, type ScreeningChoice } from './open-screening.ts'
export { ListRefused } from './list-file.ts'
