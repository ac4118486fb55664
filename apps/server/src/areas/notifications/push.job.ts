import { sql } from '@outpost/platform/db/sql'
import { session } from '../../kernel/session/services.ts'
import type { JobDefinition } from '../../kernel/types.ts'
import { subscriptionOf, type SendPush } from './push.sender.ts'

interface Device {
  companyId: string
  id: string
  token: string
}
/** `title`: what kind of news it is, which is all that the message says. */
type Told = { notificationId: string; title: string }

/**
 * Sends a notification to the devices of its reader. The message holds the kind of news and the address of its screen: names and
 * sentences are read in the console, behind the sign-in. A subscription that has ended is removed.
 */
export function pushNotificationJob(send: SendPush): JobDefinition<Told> {
  return {
    name: 'notifications.push',
    run: async (ctx, { notificationId, title }) => {
      const told = await ctx.sql.maybe<{ userId: string; link: string | null }>(sql`
        select n."userId", n."link" from notification n
        where n."companyId" = ${ctx.company.id}::uuid and n."id" = ${notificationId}::uuid 
          -- One that does not ring is filed as read at once.
          and (n."readAt" is null or n."readAt" = n."dateCreated")`)
      if (!told) return
      const message = { Id: notificationId, title: `${ctx.company.name}: ${title}`.slice(0, 120), link: told.link }
      // Devices are kept where their person is at home, which for staff of a group is another company.
      const { store } = session()
      const devices = await store.sql.query<Device>(
        sql`select "companyId", "id", "token" from push_device where "userId" = ${told.userId}::uuid order by "lastSeenAt" desc limit 20`,
      )
      const outcomes = await Promise.all(devices.map((device) => sendTo(device, message, send)))
      const gone = devices.filter((_, place) => outcomes[place] === 'gone')
      for (const { companyId, id } of gone)
        await store.write(null, (db) => db.exec(sql`delete from push_device where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid`))
      // Sent once more to all: a device shows a notification once, by its Id.
      if (outcomes.includes('later')) throw new Error('A push service asks to try again later.')
    },
  }
}

async function sendTo({ token }: Device, message: object, send: SendPush) {
  const to = subscriptionOf(token)
  if (!to) return to === null ? 'refused' : 'gone'
  return send(to, message).catch(() => 'later' as const)
}
