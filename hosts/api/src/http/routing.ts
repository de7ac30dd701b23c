import type { IRouter, RequestHandler } from 'express'
import { ApiError } from './api-error.ts'

type Methods = { readonly [M in 'get' | 'post' | 'patch' | 'delete']?: RequestHandler }

/**
 * Binds the methods of a path. `GET` also serves `HEAD`, `OPTIONS` lists the methods, and every other
 * method is a `405`.
 */
export function bind(router: IRouter, path: string, methods: Methods): void {
  const route = router.route(path)
  const { get, post, patch, delete: remove } = methods
  if (get) route.get(get)
  if (post) route.post(post)
  if (patch) route.patch(patch)
  if (remove) route.delete(remove)
  const names = Object.keys(methods).map((method) => method.toUpperCase())
  const Allow = (get ? ['HEAD', ...names] : names).toSorted().join(', ')
  route.all((req, res) => {
    if (req.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow } })
    res.statusCode = 204
    res.setHeader('Allow', Allow)
    res.end()
  })
}

/** Answers `404` to a path that no route matched. */
export const nothingHere: RequestHandler = () => {
  throw new ApiError('NOT_FOUND')
}
