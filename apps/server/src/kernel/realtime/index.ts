import type { Access } from '@outpost/contract/permissions'
import type { Log } from '@outpost/platform/log'
import type { Relay } from '@outpost/platform/relay'
import type { FastifyInstance } from 'fastify'
import type { SessionServices } from '../session/services.ts'
import type { Area, MessageDefinition } from '../types.ts'
import { onRecordsChanged, receiveChange, setRelay } from './announce.ts'
import { setBus } from './bus.ts'
import { closeCodes } from './connection.ts'
import { createHub, type Hub } from './hub.ts'
import { recheck, startRechecks } from './recheck.ts'
import { addSocket, type SocketOptions } from './socket.ts'

export interface RealtimeOptions {
  app: FastifyInstance
  areas: readonly Area[]
  services: SessionServices
  relay: Relay
  log: Log
  mayOpen: SocketOptions['mayOpen']
}

/** Lets this process hear and be heard by the others; every process does, also a worker without sockets. */
export function connectRelay(relay: Relay): () => void {
  setBus(relay)
  let isReceiving = false
  setRelay((change) => {
    // The relay reaches this process too; announce() has notified it already, with more detail.
    isReceiving = true
    relay.publish('records.changed', change)
    isReceiving = false
  })
  const stop = relay.subscribe('records.changed', (change) => {
    if (!isReceiving) receiveChange(change)
  })
  return () => {
    stop()
    setRelay(undefined)
    setBus(undefined)
  }
}

/**
 * Opens GET /api/socket and ties sockets to the relay: records that changed, messages to users, sessions that
 * ended. Gives what closes them, with 1012 (come back later).
 */
export async function startRealtime({ app, areas, services, relay, log, mayOpen }: RealtimeOptions): Promise<{ close(): void }> {
  const hub = createHub(listAccessOf(areas))
  const stops = [
    onRecordsChanged((change) => hub.tellRecords(change)),
    relay.subscribe('geo.positions', (change) => hub.tellPositions(change)),
    relay.subscribe('geo.events', (change) => hub.tellEvents(change)),
    sayFollowed(hub, relay),
    relay.subscribe('user.message', (message) => hub.sendToUser(message)),
    relay.subscribe('session.changed', (change) => {
      for (const connection of hub.concerned(change)) void recheck(connection, services, change.reason)
    }),
    startRechecks(hub, services),
  ]
  const close = () => {
    for (const stop of stops.splice(0)) stop()
    hub.closeAll(closeCodes.restarting, 'restarting')
  }
  // Before the plugin of addSocket has its turn, which closes them without a code.
  app.addHook('preClose', async () => close())
  await addSocket(app, { services, hub, messages: messagesOf(areas), mayOpen, log })
  return { close }
}

/** The geo service sends positions and events of companies that somebody watches; it forgets a company that is not named for half a minute. */
function sayFollowed(hub: Hub, relay: Relay, everyMs = 10_000): () => void {
  const say = (topic: 'geo.followed' | 'geo.eventsFollowed', companyIds: string[]) => {
    if (companyIds.length > 0) relay.publish(topic, { companyIds })
  }
  const timer = setInterval(() => {
    say('geo.followed', hub.followed('positions'))
    say('geo.eventsFollowed', hub.followed('events'))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

function listAccessOf(areas: readonly Area[]): Map<string, Access[]> {
  const access = new Map<string, Access[]>()
  for (const route of areas.flatMap((area) => area.routes)) {
    const { operation } = route
    if (operation.kind !== 'list' || !operation.resource) continue
    const { one } = operation.resource
    access.set(one, [...(access.get(one) ?? []), route.access])
  }
  return access
}

function messagesOf(areas: readonly Area[]): Map<string, MessageDefinition> {
  return new Map(areas.flatMap((area) => area.messages).map((definition) => [definition.name, definition]))
}
