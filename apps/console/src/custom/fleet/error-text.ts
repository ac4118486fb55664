import { ApiError } from '../../data/api.ts'
import { t } from '../../session/labels.ts'

/** What was wrong, in the server's words: with the fields it names. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('That did not work. Check the connection and try again.')
  const fields = error.fields ?? []
  return fields.length > 0 ? fields.map(({ field, message }) => `${field}: ${message}`).join('; ') : error.message
}
