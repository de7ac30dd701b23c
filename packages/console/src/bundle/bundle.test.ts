import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { consoleFiles } from '../index.ts'

const files = await consoleFiles()

test('script and style stay small', () => {
  const sizes = files.assets.map(({ content }) => gzipSync(content, { level: 9 }).length)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000)
})

test('no format takes the browser’s language, which may be no language tag', () => {
  const [script] = files.assets
  expect(script?.content).not.toMatch(/Format\([^)]*\.language/)
})

test('the page loads its own files, and nothing inline', () => {
  const { content } = files.page
  const loaded = [...content.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, name]) => name)
  expect(loaded.toSorted()).toEqual(files.assets.map(({ name }) => `/console/assets/${name}`).toSorted())
  expect(content).not.toMatch(/<style| style=| on\w+=|<script(?![^>]* src=)/)
})

test('the script neither evaluates text nor names another origin', () => {
  const [script] = files.assets
  expect(script?.content).not.toMatch(/\beval\(|new Function\(/)
  const origins = [...(script?.content ?? '').matchAll(/https?:\/\/[\w.-]+/g)].map(([found]) => found)
  expect(origins.filter((found) => !found.startsWith('http://www.w3.org'))).toEqual([])
})
