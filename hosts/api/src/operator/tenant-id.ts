import type { Request } from 'express'
import { idInPath } from '../http/routing.ts'

export const tenantIdOf: (req: Request) => string = idInPath('ten', 'TENANT_NOT_FOUND')
