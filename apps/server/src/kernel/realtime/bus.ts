import type { ServerEventName, ServerEvents } from '@outpost/contract/events'
import { whenPassed } from '@outpost/platform/fence'
import type { Relay } from '@outpost/platform/relay'

let relay: Pick<Relay, 'publish' | 'subscribe'> | undefined

/** Sets how this process speaks to the others; once, at start. */
export function setBus(bus: Pick<Relay, 'publish' | 'subscribe'> | undefined): void {
  relay = bus && { subscribe: bus.subscribe, publish: (topic, data) => whenPassed(() => bus.publish(topic, data)) }
}

export interface Recipient {
  companyId: string
  userId: string
  sessionId?: string
}

/** Sends an event to every socket of a user in a company, in whichever process they are. Call it after the commit. */
export function sendToUser<Name extends ServerEventName>(
  { companyId, userId, sessionId }: Recipient,
  event: Name,
  data: ServerEvents[Name],
): void {
  relay?.publish('user.message', { companyId, userId, ...(sessionId ? { sessionId } : {}), event, data })
}

/** The relay of this process; undefined before it has started. */
export function bus(): Pick<Relay, 'publish' | 'subscribe'> | undefined {
  return relay
}
