import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { IRouter } from 'express'
import { lazy } from '../composition/lazy.ts'
import { bind } from './routing.ts'

export type Page = {
  readonly html: string
  /** Its type among them. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Serves a page that does not change while the process lives. It is made when it is first asked
 * for, sent compressed, and not sent again to who has it.
 */
export function pageRoute(router: IRouter, path: string, make: () => Page): void {
  const page = lazy(() => served(make()))
  bind(router, path, {
    async get(req, res) {
      const { headers, plain, zipped } = await page()
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      if (req.fresh) {
        res.statusCode = 304
        res.end()
        return
      }
      const isZipped = req.acceptsEncodings('gzip') === 'gzip'
      if (isZipped) res.setHeader('Content-Encoding', 'gzip')
      const body = isZipped ? zipped : plain
      res.setHeader('Content-Length', body.length)
      res.end(body)
    },
  })
  bind(router, `${path}/`, {
    get(_req, res) {
      res.statusCode = 308
      res.setHeader('Location', `..${path}`)
      res.end()
    },
  })
}

type Served = Pick<Page, 'headers'> & { readonly plain: Buffer; readonly zipped: Buffer }

async function served({ html, headers }: Page): Promise<Served> {
  const plain = Buffer.from(html)
  const zipped = await promisify(gzip)(plain, { level: 9 })
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // Weak: the same page, compressed or not. It may be kept, but is asked for each time.
  const caching = { ETag: `W/"${digest}"`, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
  return { headers: { ...headers, ...caching }, plain, zipped }
}
