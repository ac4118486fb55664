import type { Option } from '@outpost/contract/fields'
import type { Channel } from './message.resource.ts'
import type { Reach } from './message-clients.ts'

/** How receipts of payments reach a client. A company chooses one, and a client may have another. */
export const receiptChannels: readonly [Option, ...Option[]] = [
  { value: 'none', label: 'Not sent by itself' },
  { value: 'mail', label: 'By e-mail' },
  { value: 'sms', label: 'By SMS' },
  { value: 'mailOrSms', label: 'By e-mail, by SMS without an address' },
  { value: 'both', label: 'By e-mail and SMS' },
]

/** The channels by which a way reaches somebody: none where there is neither address nor number for it. */
export function channelsFor(way: string, { mail, sms }: Pick<Reach, 'mail' | 'sms'>): Channel[] {
  const byMail: Channel[] = mail ? ['mail'] : []
  const bySms: Channel[] = sms ? ['sms'] : []
  if (way === 'mail') return byMail
  if (way === 'sms') return bySms
  if (way === 'mailOrSms') return mail ? byMail : bySms
  return way === 'both' ? [...byMail, ...bySms] : []
}
