/** Networks of mobile money: the name that their payments are kept under, as connections are named, and what people call them. */
const networks = new Map(
  Object.entries({
    mpesa: 'M-Pesa',
    'airtel-money': 'Airtel Money',
    'mtn-momo': 'MTN MoMo',
    't-kash': 'T-Kash',
    'mixx-by-yas': 'Mixx by Yas',
    halopesa: 'HaloPesa',
    'zamtel-money': 'Zamtel Money',
    'telecel-cash': 'Telecel Cash',
    'airteltigo-money': 'AirtelTigo Money',
    'tnm-mpamba': 'TNM Mpamba',
    'e-mola': 'e-Mola',
    mkesh: 'mKesh',
    ecocash: 'EcoCash',
    onemoney: 'OneMoney',
    'orange-money': 'Orange Money',
    myzaka: 'MyZaka',
    telebirr: 'telebirr',
    wave: 'Wave',
    opay: 'OPay',
    palmpay: 'PalmPay',
  }),
)

/** Networks by the names that people know. */
export const networkOptions: readonly { value: string; label: string }[] = [...networks].map(([value, label]) => ({ value, label }))

/** What people call a network; of a provider of the company, its own name. */
export const networkName = (name: string): string => networks.get(name) ?? name

/** The usual ones of a country, the largest first. */
const usual = new Map<string, readonly string[]>(
  Object.entries({
    KE: ['mpesa', 'airtel-money', 't-kash'],
    TZ: ['mpesa', 'mixx-by-yas', 'airtel-money', 'halopesa'],
    UG: ['mtn-momo', 'airtel-money'],
    RW: ['mtn-momo', 'airtel-money'],
    ZM: ['airtel-money', 'mtn-momo', 'zamtel-money'],
    MW: ['airtel-money', 'tnm-mpamba'],
    MZ: ['mpesa', 'e-mola', 'mkesh'],
    ZW: ['ecocash', 'onemoney'],
    LS: ['mpesa', 'ecocash'],
    BW: ['orange-money', 'myzaka'],
    CD: ['mpesa', 'airtel-money', 'orange-money'],
    ET: ['telebirr', 'mpesa'],
    GH: ['mtn-momo', 'telecel-cash', 'airteltigo-money'],
    NG: ['opay', 'palmpay', 'mtn-momo'],
    CI: ['wave', 'orange-money', 'mtn-momo'],
    SN: ['wave', 'orange-money'],
    CM: ['mtn-momo', 'orange-money'],
  }),
)

/** Networks that money may come by in a country; of one whose usual networks are not known, all of them. */
export const networksOf = (country: string | null): readonly string[] => usual.get(country?.toUpperCase() ?? '') ?? [...networks.keys()]

/** Whether a country is known to have a network. */
export const hasNetwork = (country: string | null, network: string): boolean =>
  usual.get(country?.toUpperCase() ?? '')?.includes(network) ?? false
