export { ExampleSettings } from './settings.ts'
export { type Example, startExample } from './start-example.ts'
