export * from './composite-rate.ts'
export * from './fixed-rate.ts'
export * from './http-json-rate.ts'
