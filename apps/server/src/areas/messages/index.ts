export { messagesArea } from './messages.area.ts'
export { reachOf, tellClients, type NewMessage, type Reach } from './tell-clients.ts'
export { channelsFor, receiptWays } from './receipt-ways.ts'
export { channels, type Channel } from './message.resource.ts'
