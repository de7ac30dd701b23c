import { isId } from '@quipu/wire'
import type { Request } from 'express'
import { ApiError } from '../http/api-error.ts'

/** The tenant's id in the path. @throws ApiError 404 when it is not a tenant id */
export function tenantIdOf(req: Request): string {
  const id = String(req.params['id'])
  if (!isId('ten', id)) throw new ApiError('TENANT_NOT_FOUND')
  return id
}
