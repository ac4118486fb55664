import { payoutResult, saidAmount } from '../../support/payout-result.ts'
import type { Call } from './calls.ts'

/** Makes money leave twice for one payout, as M-Pesa would tell it: one more to ask back. */
export async function leaveTwice(url: string, call: Call): Promise<void> {
  const { key } = (await call('POST', '/api/money-connections', { addresses: ['127.0.0.1'] })).body.data as { key: string }
  const filter = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'eq', value: 'Confirmed' }]))
  const { disbursements } = (await call('GET', `/api/disbursements?size=1&filter=${filter}`)).body.data as {
    disbursements: { Id: string; amount: number }[]
  }
  const [payout] = disbursements
  if (!payout) throw new Error('The demo has no payout that was confirmed.')
  const { status } = await fetch(`${url}/hooks/mpesa/payout-result/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payoutResult(payout.Id, 'TWICE1', saidAmount(payout.amount))),
  })
  if (status !== 200) throw new Error(`M-Pesa's message was answered ${status}.`)
}
