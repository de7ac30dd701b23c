export { referencePage, type ReferencePage, type TryServer } from './page.ts'
