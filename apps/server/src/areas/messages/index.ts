export { messagesArea } from './messages.area.ts'
export { reachOf, messageClients, type NewMessage, type Reach } from './message-clients.ts'
export { channelsFor, receiptWays } from './receipt-ways.ts'
export { channels, type Channel } from './message.resource.ts'
