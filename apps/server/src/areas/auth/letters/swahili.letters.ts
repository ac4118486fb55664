import type { Letters } from './letters.ts'
import { fullMoment } from './moment.ts'

export const swahili: Letters = {
  hello: (firstName) => `Habari ${firstName},`,
  reset: ['Weka upya nenosiri lako', 'Fungua kiungo hiki ndani ya saa moja ili kuchagua nenosiri jipya:'],
  verify: ['Thibitisha barua pepe yako', 'Fungua kiungo hiki ndani ya siku saba ili kuthibitisha barua pepe yako:'],
  invite: ['Akaunti yako iko tayari', 'Umefunguliwa akaunti. Fungua kiungo hiki ndani ya siku saba ili kuchagua nenosiri:'],
  ignore: 'Kama hukuomba hili, puuza ujumbe huu: hakuna kinachobadilika.',
  notices: {
    'factor-on': ['Hatua yako ya pili imewashwa', 'Kuanzia sasa msimbo wa programu yako ya uthibitishaji utaombwa unapoingia.'],
    'factor-off': ['Hatua yako ya pili imezimwa', 'Kuanzia sasa nenosiri lako pekee linatosha kuingia.'],
    'factor-reset': [
      'Msimamizi ameondoa hatua yako ya pili',
      'Weka tena programu yako ya uthibitishaji, kwenye wasifu wako au utakapoingia tena.',
    ],
    'passkey-on': ['Una kitambulisho kipya cha kifaa', 'Kuanzia sasa kinakuingiza bila nenosiri.'],
    'passkey-off': ['Kitambulisho chako kimoja cha kifaa kimeondolewa', 'Hakikuingizi tena.'],
    'passkeys-reset': [
      'Msimamizi ameondoa vitambulisho vyako vya kifaa',
      'Ingia kwa nenosiri lako na utengeneze vipya kwenye wasifu wako.',
    ],
    'recovery-codes': ['Una misimbo mipya ya urejeshaji', 'Misimbo ya urejeshaji uliyokuwa nayo awali haifanyi kazi tena.'],
    'recovery-used': [
      'Msimbo wa urejeshaji umetumika kuingia',
      'Kila msimbo wa urejeshaji hutumika mara moja. Tengeneza mipya kwenye wasifu wako ikibaki michache.',
    ],
  },
  noticeWarning: 'Kama si wewe, badilisha nenosiri lako mara moja na umjulishe msimamizi.',
  newDevice: {
    subject: 'Umeingia kutoka kifaa kipya',
    intro: 'Mtu ameingia kwenye akaunti yako kutoka kifaa ambacho hukuwahi kukitumia:',
    when: 'Lini: ',
    how: 'Vipi: ',
    device: 'Kifaa: ',
    address: 'Anwani: ',
    unknown: 'Haijulikani',
    ways: {
      password: 'Kwa nenosiri',
      biometric: 'Kwa alama ya kidole au uso',
      passkey: 'Kwa kitambulisho cha kifaa',
      code: 'Kwa msimbo wa matumizi ya mara moja',
      saml: 'Kwa akaunti ya shirika (SAML)',
    },
    on: ' kwenye ',
    unknownBrowser: 'Kivinjari kisichojulikana',
    fine: 'Kama ni wewe, hakuna la kufanya.',
    ask: 'Kama si wewe, fungua kiungo hiki ndani ya siku saba. Kinamaliza vipindi vyako vyote, kisha unachagua nenosiri jipya:',
  },
  moment: fullMoment('sw'),
}
