/** A command for a device, by Traccar's command types (custom, engineStop, engineResume, positionSingle ...). */
export interface DeviceCommand {
  type: string
  parameters: Readonly<Record<string, string | number | boolean>>
  uniqueId: string
  /** Repeated as text in the answer by devices that support it: below 2^32 for GT06, a second of the day (UTC) for H02. */
  correlation: number
  model?: string | null
}
