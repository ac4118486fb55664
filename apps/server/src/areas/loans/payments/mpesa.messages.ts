import { z } from 'zod'
import { readJson } from '../../../kernel/providers/read-json.ts'

/** An amount as providers write it, with two decimals at most. */
export const amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(
    z
      .string()
      .regex(/^\d{1,12}(\.\d{1,2})?$/, 'is not an amount')
      .refine((text) => Number(text) > 0, 'must be more than 0'),
  )
const words = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value).trim().slice(0, 200)))

/** What M-Pesa tells of money from a client (C2B), before and after it moves. Source: the field list of Safaricom's mpesa-php-sdk; further fields are ignored. */
const c2b = z.object({
  TransactionType: words,
  TransID: z.string().trim().min(1).max(60),
  TransTime: words,
  TransAmount: amount,
  BusinessShortCode: words,
  BillRefNumber: words,
  InvoiceNumber: words,
  OrgAccountBalance: words,
  ThirdPartyTransID: words,
  MSISDN: words,
  FirstName: words,
  MiddleName: words,
  LastName: words,
})
export type C2bMessage = z.infer<typeof c2b>
export const readC2b = (raw: Buffer): C2bMessage => c2b.parse(readJson(raw))

/** What M-Pesa tells beside the result, by name; one may come without the list around it. */
const parameters = z
  .object({ ResultParameter: z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]) })
  .nullish()
  .catch(null)
  .transform(
    (given) =>
      new Map((given?.ResultParameter ?? []).flatMap((one) => pair.safeParse(one).data ?? []).map(({ Key, Value }) => [Key, Value])),
  )
const pair = z.object({ Key: z.string(), Value: z.unknown() })

/** What became of money to a client (B2C). OriginatorConversationID is the id of our disbursement, with what the caller puts behind it. */
const b2c = z.object({
  Result: z.object({
    ResultCode: z.union([z.string(), z.number()]).transform(Number),
    ResultDesc: words,
    OriginatorConversationID: z.string().trim().min(1).max(120),
    ConversationID: z.string().trim().min(1).max(120),
    TransactionID: words,
    ResultParameters: parameters,
  }),
})
export type B2cMessage = z.infer<typeof b2c>['Result']
export const readB2c = (raw: Buffer): B2cMessage => b2c.parse(readJson(raw)).Result

/** What M-Pesa says it paid out; undefined where it says nothing that is an amount. */
export const amountOfB2c = ({ ResultParameters }: B2cMessage): string | undefined =>
  amount.safeParse(ResultParameters.get('TransactionAmount')).data

/** The day of a TransTime (YYYYMMDDHHmmss, the time of Nairobi); undefined for what is none. */
export function dayOfTransTime(time: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})\d{6}$/.exec(time) ?? []
  const text = `${year}-${month}-${day}`
  return year !== undefined && z.iso.date().safeParse(text).success ? text : undefined
}
