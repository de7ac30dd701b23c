import { operatorTokenRefused } from '@quipu/wire'
import { ApiError, invalid } from '../../http/api-error.ts'

/** The answer to a request that another operator has to approve, and that says no reason. */
export const noteMissing = (): ApiError =>
  invalid([{ field: 'reason', message: 'is required, as another admin has to approve this' }])

/** The answer when the presented token stopped working meanwhile. */
export const unauthorized = (): ApiError => new ApiError('AUTHENTICATION_FAILED', { message: operatorTokenRefused })
