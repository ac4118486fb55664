export { messagesArea } from './messages.area.ts'
export { reachOf, messageClients, type NewMessage, type Reach } from './message-clients.ts'
export { channelsFor, receiptChannels } from './receipt-channels.ts'
export { channels, type Channel } from './message.resource.ts'
