import type { CommonOptions } from '../connection/connection-options.ts'

export type AuditVerifyOptions = CommonOptions & { readonly checkpoint?: string; readonly after?: string }
