/**
 * The reference page of an OpenAPI 3.1 document, with guides, a walk and requests to try.
 *
 * @module @quipu/reference
 */
import { builtAssets } from '#assets'
import { pageOf, type ReferenceOptions, type ReferencePage } from './page.ts'

export type { GuideName } from './guide/guide.ts'
export type { Language } from './text/language.ts'
export type { ReferenceOptions, ReferencePage, TryServer } from './page.ts'
export type { Walk, WalkStep } from './walk/walk.ts'

/**
 * Makes the reference page of an OpenAPI 3.1 document: one text that loads nothing.
 *
 * In a clone its script is bundled and its guides are rendered first; a build has done that before.
 *
 * @param openApi  the JSON text of the served document
 */
export const referencePage = async (openApi: string, options: ReferenceOptions): Promise<ReferencePage> =>
  pageOf(openApi, options, await builtAssets())
