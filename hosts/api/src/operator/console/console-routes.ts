import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ConsoleFile, ConsoleFiles } from '@quipu/console'
import type { IRouter, Request, Response } from 'express'
import { ApiError } from '../../http/api-error.ts'
import { lazy } from '../../http/lazy.ts'
import { bind } from '../../http/routing.ts'

/**
 * Serves the console: its page at every path below `/console`, which the page's script reads, and what the page
 * loads below `/console/assets`. Made at the first request.
 */
export function consoleRoutes(router: IRouter, make: () => Promise<ConsoleFiles>): void {
  const files = lazy(async () => {
    const { page, assets } = await make()
    const zipped = await Promise.all(assets.map(encoded))
    return { page: await encoded(page), assets: new Map(zipped.map((each) => [each.name, each])) }
  })

  bind(router, '/console/assets/:name', {
    async get(req, res) {
      const asset = (await files()).assets.get(String(req.params['name']))
      if (!asset) throw new ApiError('NOT_FOUND')
      // The name contains the digest of the content.
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      write(req, res, asset)
    },
  })
  for (const path of ['/console', '/console/', '/console/*path'])
    bind(router, path, {
      async get(req, res) {
        res.setHeader('Cache-Control', 'no-cache')
        write(req, res, (await files()).page)
      },
    })
  bind(router, '/', {
    get(_req, res) {
      res.statusCode = 302
      res.setHeader('Location', '/console')
      res.end()
    },
  })
}

type EncodedFile = Omit<ConsoleFile, 'content'> & { readonly plain: Buffer; readonly zipped: Buffer }

async function encoded({ content, ...file }: ConsoleFile): Promise<EncodedFile> {
  const plain = Buffer.from(content)
  return { ...file, plain, zipped: await promisify(gzip)(plain, { level: 9 }) }
}

function write(req: Request, res: Response, { headers, plain, zipped }: EncodedFile): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.setHeader('Vary', 'Accept-Encoding')
  const isZipped = req.acceptsEncodings('gzip') === 'gzip'
  if (isZipped) res.setHeader('Content-Encoding', 'gzip')
  const body = isZipped ? zipped : plain
  res.setHeader('Content-Length', body.length)
  res.end(body)
}
