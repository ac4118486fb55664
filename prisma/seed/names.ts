/** Names, employers and numbers as they are in a country. */
export interface Culture {
  first: readonly string[]
  last: readonly string[]
  employers: readonly string[]
  streets: readonly string[]
  /** Dialling code without plus, and how mobile numbers begin after it. */
  dialling: string
  mobile: readonly string[]
  /** Postcodes near the branches. */
  postcodes: readonly string[]
  /** Shape of an identity number: 9 means a digit. */
  idNumber: string
  /** Typical monthly instalments, in the country's currency. */
  instalment: readonly [from: number, to: number]
}

/** How people are called and reached, by country. */
export const cultures: Readonly<Record<'KE' | 'ZA' | 'ZM', Culture>> = {
  KE: {
    first: ['Wanjiru', 'Kamau', 'Achieng', 'Otieno', 'Njeri', 'Mwangi', 'Akinyi', 'Kiprop', 'Chebet', 'Mutua', 'Nduta', 'Juma', 'Halima', 'Omondi', 'Wambui', 'Kipchoge', 'Atieno', 'Njoroge', 'Fatuma', 'Barasa', 'Grace', 'Peter', 'Mary', 'John', 'Faith', 'David', 'Mercy', 'Samuel', 'Esther', 'Daniel'],
    last: ['Kariuki', 'Odhiambo', 'Maina', 'Wafula', 'Cheruiyot', 'Mutiso', 'Ochieng', 'Karanja', 'Kimani', 'Nyambura', 'Koech', 'Wekesa', 'Muthoni', 'Owino', 'Kosgei', 'Mbugua', 'Onyango', 'Gathoni', 'Rotich', 'Ndung’u', 'Hassan', 'Mwende', 'Simiyu', 'Waweru', 'Langat', 'Gitau', 'Auma', 'Musyoka', 'Kibet', 'Abdi'],
    employers: ['Tusker Mattresses', 'Uhuru Transport', 'Rift Valley Dairy', 'Coastline Hotels', 'Kisumu Fresh Fish', 'Nairobi City Water', 'Simba Hardware', 'Maua Flowers', 'Jamii Schools', 'Self-employed'],
    streets: ['Moi Avenue', 'Kenyatta Avenue', 'Ngong Road', 'Tom Mboya Street', 'Mombasa Road', 'Oginga Odinga Street', 'Waiyaki Way', 'Jogoo Road'],
    dialling: '254', mobile: ['71', '72', '70', '79', '11'], postcodes: ['00100', '00200', '80100', '40100'], idNumber: '99999999', instalment: [1_800, 32_000],
  },
  ZA: {
    first: ['Thandi', 'Sipho', 'Nomsa', 'Pieter', 'Lerato', 'Themba', 'Anele', 'Johan', 'Zanele', 'Kagiso', 'Ayanda', 'Willem', 'Naledi', 'Bongani', 'Palesa', 'Riaan', 'Nokuthula', 'Tshepo', 'Lindiwe', 'Mandla', 'Precious', 'Jacques', 'Busisiwe', 'Thabo', 'Fatima', 'Andries', 'Refilwe', 'Sibusiso', 'Chantel', 'Vusi'],
    last: ['Nkosi', 'Dlamini', 'van der Merwe', 'Khumalo', 'Botha', 'Mokoena', 'Naidoo', 'Ndlovu', 'Pretorius', 'Mthembu', 'Zulu', 'Venter', 'Molefe', 'Govender', 'Sithole', 'Mahlangu', 'du Plessis', 'Radebe', 'Cele', 'Jacobs', 'Motaung', 'Adams', 'Ngcobo', 'Fourie', 'Mabaso', 'Petersen', 'Tshabalala', 'Smit', 'Zungu', 'Moodley'],
    employers: ['Highveld Logistics', 'Protea Retail', 'Kaap Wine Estates', 'Umgeni Sugar', 'Gauteng Health', 'Ubuntu Security', 'Karoo Solar', 'Table Bay Harbour', 'Jozi Metalworks', 'Self-employed'],
    streets: ['Jan Smuts Avenue', 'Main Road', 'Voortrekker Road', 'Vilakazi Street', 'Long Street', 'Florida Road', 'Rivonia Road', 'Church Street'],
    dialling: '27', mobile: ['61', '72', '82', '83', '79'], postcodes: ['2001', '1804', '7530', '4001'], idNumber: '9009999999089', instalment: [450, 9_500],
  },
  ZM: {
    first: ['Mwila', 'Chanda', 'Bwalya', 'Mutinta', 'Kunda', 'Thandiwe', 'Musonda', 'Choolwe', 'Natasha', 'Mulenga', 'Chileshe', 'Joseph', 'Mercy', 'Kelvin', 'Ruth', 'Misheck', 'Precious', 'Emmanuel', 'Charity', 'Brian'],
    last: ['Banda', 'Phiri', 'Mwansa', 'Tembo', 'Zulu', 'Mulenga', 'Sakala', 'Lungu', 'Hamoonga', 'Mumba', 'Chisanga', 'Nkandu', 'Siame', 'Mwale', 'Daka', 'Moonga', 'Kapata', 'Ngoma', 'Simukonda', 'Zimba'],
    employers: ['Copperbelt Mining', 'Zambezi Foods', 'Kafue Steel', 'Lusaka Teachers', 'Kitwe Engineering', 'Mosi Lodges', 'Self-employed'],
    streets: ['Cairo Road', 'Great East Road', 'Independence Avenue', 'Kabulonga Road', 'Freedom Avenue', 'Lumumba Road'],
    dialling: '260', mobile: ['97', '96', '95', '77'], postcodes: ['10101', '21200'], idNumber: '999999/99/1', instalment: [250, 6_500],
  },
}
