import { endpointsOf, type OpenApi } from '../document/open-api.ts'

/** The anchors of the page by the words of the document that they explain. */
export type Links = ReadonlyMap<string, string>

export const schemaAnchor = (name: string): string => `schema-${name}`
export const errorAnchor = (code: string): string => `error-${code}`
export const eventAnchor = (type: string): string => `event-${type}`
export const headingAnchor = (title: string): string =>
  title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The anchors of the words that descriptions have between backquotes. */
export function linksOf(document: OpenApi, errorCodes: Iterable<string>): Links {
  const links = new Map<string, string>()
  for (const name of Object.keys(document.components.schemas)) links.set(name, schemaAnchor(name))
  for (const code of errorCodes) links.set(code, errorAnchor(code))
  for (const type of Object.keys(document.webhooks ?? {})) links.set(type, eventAnchor(type))
  for (const { method, path, operation } of endpointsOf(document.paths))
    links.set(`${method} ${path}`, operation.operationId)
  return links
}
