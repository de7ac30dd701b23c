import { endpointsOf, type OpenApi } from './open-api.ts'

/** The anchors of the page by the words of the document that they explain. */
export type Links = ReadonlyMap<string, string>

export const schemaAnchor = (name: string): string => `schema-${name}`
export const errorAnchor = (code: string): string => `error-${code}`
/** The link of a code that a deposit in review has. */
export const reviewAnchor = (code: string): string => `review-${code}`
export const eventAnchor = (type: string): string => `event-${type}`
export const headingAnchor = (title: string): string =>
  title
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')

/** The codes that the page explains. */
type Codes = { readonly errors: Iterable<string>; readonly reviews: Iterable<string> }

/** The anchors of the words that descriptions have between backquotes. */
export function linksOf(document: OpenApi, { errors, reviews }: Codes): Links {
  const links = new Map<string, string>()
  for (const name of Object.keys(document.components.schemas)) links.set(name, schemaAnchor(name))
  for (const code of reviews) links.set(code, reviewAnchor(code))
  for (const code of errors) links.set(code, errorAnchor(code))
  for (const type of Object.keys(document['x-webhooks'] ?? {})) links.set(type, eventAnchor(type))
  for (const { method, path, operation } of endpointsOf(document.paths))
    links.set(`${method} ${path}`, operation.operationId)
  return links
}
