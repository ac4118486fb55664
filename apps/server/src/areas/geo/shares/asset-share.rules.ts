import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../../kernel/types.ts'

type Row = ModelRow<'assetShare'>
const longestDays = 90

/** A link ends within 90 days, and one that was withdrawn stays so: whoever has it must not get in again by a slip. */
export function prepareShare({ user }: Ctx, { kind, input, before }: PrepareWrite<Row>): Partial<Row> {
  if (kind === 'remove') return {}
  if (before?.status === 'Revoked' && input.status === 'Active') fail('CONFLICT', { message: 'This link was withdrawn. Make a new one.' })
  if (input.expireDate !== undefined) {
    const ends = new Date(input.expireDate as unknown as string).getTime()
    const refuse = (message: string) => fail('INVALID', { fields: [{ field: 'expireDate', message }] })
    if (ends <= Date.now()) refuse('is over already')
    if (ends > Date.now() + longestDays * 86_400_000) refuse(`lies more than ${longestDays} days ahead`)
  }
  return kind === 'create' ? ({ createdByUserId: user.id } as Partial<Row>) : {}
}
