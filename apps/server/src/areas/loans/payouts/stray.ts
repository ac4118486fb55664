import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import { audit } from '../../../kernel/audit.ts'
import { notificationKind } from '../../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { post, today } from '../../ledger/index.ts'
import { decidersOnMoney } from '../../reconciliation/index.ts'
import { moneyAccount } from '../settling/loan.book.ts'
import { strayPayout } from './stray.resource.ts'

export const strayNews = notificationKind('strayPayouts', {
  label: 'Payouts to ask back',
  help: 'A provider paid once more than was asked for',
  order: 39,
  isUrgent: true,
})

export interface Stray {
  disbursementId: string
  loanId: string
  tenantId: string
  channel: string
  provider: string
  reference: string
  amount: string
}

/** A payout that nobody asked for any more: the money left all the same. It is booked against suspense once, waits in its list, and is told to who decides on money. */
export async function bookStray(ctx: Ctx, stray: Stray): Promise<void> {
  const { disbursementId, loanId, tenantId, channel, provider, reference, amount } = stray
  const [entryId] = await post(ctx, [
    {
      key: `stray-payout:${disbursementId}:${reference}`,
      kind: 'strayPayout',
      tenantId,
      valueOn: today(ctx),
      text: `Payout ${reference} that was not asked for`,
      postings: [
        { account: 'suspense', amount },
        { account: moneyAccount(channel), amount: new Decimal(amount).negated() },
      ],
    },
  ])
  if (!entryId) return
  const columns = { disbursementId, loanId, tenantId, channel, provider, reference, amount, leftOn: today(ctx) }
  const [made] = await writeRecords(ctx, strayPayout, [{ kind: 'create', input: {}, columns }])
  audit(ctx, { action: 'disbursement.stray', objectType: 'disbursement', objectId: disbursementId, after: { reference, amount } })
  if (made) await tell(ctx, stray, made.id)
}

async function tell(ctx: Ctx, { disbursementId, tenantId, reference, amount }: Stray, id: string): Promise<void> {
  const { number } = await ctx.sql.one<{ number: string }>(sql`
    select 'D-' || lpad("number"::text, greatest(6, length("number"::text)), '0') as number from disbursement where "companyId" = ${ctx.company.id}::uuid and "id" = ${disbursementId}::uuid`)
  const message = `${number} was paid once more than it was asked for: ${amount}, reference ${reference}. Ask it back`
  for (const { userId } of await decidersOnMoney(ctx, [tenantId]))
    await notify(ctx, { userId, itemType: 'Message', kind: strayNews, message, link: `/loans/stray-payouts/${id}/view` })
}
