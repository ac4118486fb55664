import type { FormView } from '@outpost/contract/views'
import type { Ctx } from '../../kernel/types.ts'
import { todayIn } from './hits.ts'

/** A new target is for the present month unless said otherwise. */
export function newTarget({ company }: Ctx, view: FormView): FormView {
  return {
    ...view,
    fields: view.fields.map((field) => (field.key === 'startDate' ? { ...field, defaultValue: todayIn(company.timeZone) } : field)),
  }
}
