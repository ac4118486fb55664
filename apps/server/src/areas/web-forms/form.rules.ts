import { fail } from '@outpost/contract/errors'
import { formPages } from '@outpost/contract/web-forms/pages'
import type { FormPage } from '@outpost/contract/web-forms/form'
import type { ModelRow } from '@outpost/platform/db/models'
import { fieldErrors } from '@outpost/platform/failures'
import { formFaults } from '@outpost/rules/forms/form-faults'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'webForm'>

/** The pages of a body; INVALID names each part that contradicts itself. */
export function readPages(given: unknown): FormPage[] {
  const parsed = formPages.safeParse(given)
  if (!parsed.success)
    fail('INVALID', {
      fields: fieldErrors(parsed.error).map(({ field, message }) => ({ field: field === '' ? 'pages' : `pages.${field}`, message })),
    })
  const fields = formFaults(parsed.data)
  if (fields.length > 0) fail('INVALID', { fields })
  return parsed.data
}

/** What is saved of a form can be filled in, though it may ask nothing yet. */
export function prepareForm(ctx: Ctx, { kind, input }: PrepareWrite<Row>): Partial<Row> {
  if (kind === 'remove') return {}
  return {
    ...(input.pages === undefined ? {} : { pages: readPages(input.pages) as unknown as Row['pages'] }),
    ...(kind === 'create' ? { createdByUserId: ctx.user.id } : {}),
  }
}
