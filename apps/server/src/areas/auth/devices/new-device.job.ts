import { enqueue } from '@outpost/platform/outbox'
import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { issueOneTime } from '../../../kernel/session/tokens/one-time.ts'
import { session } from '../../../kernel/session/services.ts'
import { wordingFor } from '../../../kernel/settings/wording.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { CompanyRef, JobDefinition } from '../../../kernel/types.ts'
import { findAccount } from '../accounts.ts'
import { signInWays, type Letters, type SignInWay } from '../letters/letters.ts'
import { lettersFor } from '../letters/letters-for.ts'
import { describeDevice } from './new-device.ts'
import { placeOf, wayOf } from './sign-ins.ts'

const dataSchema = z.object({ userId: idSchema, eventId: idSchema })

interface Seen {
  dateCreated: Date
  way: string | null
  ip: string | null
  place: string | null
  userAgent: string | null
}

/** Tells a person of a sign-in from a device they had not used before, once the transaction of `db` has committed. */
export async function requestNewDeviceMail(
  db: Sql,
  { companyId, ...payload }: { companyId: string; userId: string; eventId: string },
): Promise<void> {
  await enqueue(db, { companyId, userId: null, type: 'auth.newDevice', payload })
}

/** The job behind it. The secret of the link is made here, so that it is never in a queue. */
export function newDeviceJob(mail: Mail): JobDefinition {
  return {
    name: 'auth.newDevice',
    ownTransaction: true,
    run: async (ctx, data, { id }) => {
      const services = session()
      const { userId, eventId } = dataSchema.parse(data)
      const companyId = ctx.company.id
      const account = await findAccount(services, companyId, userId)
      const seen = await services.store.sql.maybe<Seen>(sql`
        select e."dateCreated", ${wayOf} as way, e."ip", ${placeOf} as place, e."userAgent" from login_event e
        where e."companyId" = ${companyId}::uuid and e."id" = ${eventId}::uuid and e."userId" = ${userId}::uuid`)
      if (!seen || !account || account.status !== 1) return
      const { emailAddress, firstName } = account
      // What it undoes is undone for who has this mailbox now, see notMe.
      const secret = await services.store.write(null, (db) =>
        issueOneTime(db, services.clock, { purpose: 'notMe', companyId, userId, data: { emailAddress, signedInAt: seen.dateCreated } }),
      )
      const letters = await lettersFor(ctx, account)
      const text = letterOf({
        letters,
        firstName,
        seen,
        when: await whenOf(letters, ctx.company, new Date(seen.dateCreated)),
        link: new URL(`/not-me/${secret}`, services.publicUrl).href,
      })
      await mail.send({ to: emailAddress, subject: letters.newDevice.subject, text, idempotencyKey: id })
    },
  }
}

/** A moment that somebody is to remember by: with the day of the week and the zone. */
async function whenOf({ moment: write }: Letters, company: CompanyRef, moment: Date): Promise<string> {
  if (write) return `${write(moment, company.timeZone)} (${company.timeZone})`
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: company.timeZone }).format(moment)
  return `${weekday}, ${(await wordingFor(company)).moment(moment)} (${company.timeZone})`
}

interface Letter {
  letters: Letters
  firstName: string
  seen: Seen
  when: string
  link: string
}

function letterOf({ letters: { hello, newDevice: words }, firstName, seen, when, link }: Letter): string {
  return [
    hello(firstName),
    '',
    words.intro,
    '',
    words.when + when,
    words.how + (signInWays.includes(seen.way as SignInWay) ? words.ways[seen.way as SignInWay] : words.unknown),
    words.device + describeDevice(seen.userAgent, { on: words.on, unknown: words.unknownBrowser }),
    `${words.address}${seen.ip ?? words.unknown}${seen.place === null ? '' : ` (${seen.place})`}`,
    '',
    words.fine,
    '',
    words.ask,
    '',
    link,
  ].join('\n')
}
