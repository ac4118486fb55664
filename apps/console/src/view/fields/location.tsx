import { useState } from 'react'
import { Button, Input, Space } from 'antd'
import { AimOutlined } from '@ant-design/icons'
import { isPosition } from '@outpost/rules/validation'
import { positionProblem } from '../../map/position.ts'
import { t } from '../../session/labels.ts'
import { checkLength, forInput, trimmed } from './plain.tsx'
import type { CellProps, FieldKindView, InputProps } from './types.ts'

/** A place is text on the wire: words ("Westlands, Nairobi") or "latitude, longitude"; older rows may hold an object. */
function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  const { latitude, longitude } = value as { latitude?: unknown; longitude?: unknown }
  return typeof latitude === 'number' && typeof longitude === 'number' ? positionWords(latitude, longitude) : ''
}

const positionWords = (latitude: number, longitude: number) => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`
const positionPattern = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/

const LocationInput = (props: InputProps) => {
  const [message, setMessage] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const ask = () => {
    if (!('geolocation' in navigator)) return setMessage(positionProblem(undefined))
    setAsking(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false)
        setMessage(undefined)
        props.onChange?.(positionWords(coords.latitude, coords.longitude))
      },
      (error) => {
        setAsking(false)
        setMessage(positionProblem(error.code))
      },
      { enableHighAccuracy: true, timeout: 5_000, maximumAge: 5_000 },
    )
  }
  return (
    <>
      <Space.Compact className="field-wide">
        <Input
          {...forInput(props)}
          value={wordsOf(props.value)}
          maxLength={props.field.maxLength}
          autoComplete="off"
          onChange={(event) => props.onChange?.(event.target.value)}
        />
        <Button
          icon={<AimOutlined aria-hidden />}
          aria-label={`${t('Use my position')}: ${t(props.field.label)}`}
          loading={isAsking}
          disabled={props.disabled}
          onClick={ask}
        />
      </Space.Compact>
      {message ? (
        <div className="field-note" role="alert">
          {t(message)}
        </div>
      ) : null}
    </>
  )
}

const LocationCell = ({ value }: CellProps) => <span>{wordsOf(value)}</span>

/** A place in words or as a position, six decimals. */
export const location: FieldKindView = {
  Input: LocationInput,
  Cell: LocationCell,
  text: wordsOf,
  width: 190,
  toWire: (value) => trimmed(wordsOf(value)),
  check: (value, field) => {
    const [, latitude, longitude] = positionPattern.exec(wordsOf(value)) ?? []
    if (latitude === undefined || longitude === undefined) return checkLength(wordsOf(value), field)
    return isPosition(Number(latitude), Number(longitude))
      ? undefined
      : 'is no position: latitude up to 90, longitude up to 180, neither zero'
  },
}
