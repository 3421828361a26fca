"""Detects the encoding of SGF files that do not declare one: East Asian, or Windows-1252.

Valid UTF-8 is read as UTF-8. Otherwise the bytes above 127 decide, in the order of `guess`: encodings with
two such bytes per character have runs of even length; in Shift JIS the lead bytes of kana are 0x82 and 0x83;
Western text has single bytes between letters.
"""

import re

_RUN = re.compile(rb"[\x80-\xff]+")
_SHIFT_JIS = re.compile(rb"(?:[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]|[\x00-\x7f])*+")
_SHIFT_JIS_KANA = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")
_PAIR = re.compile(rb"[\xa1-\xfe][\xa1-\xfe]")
_BIG5 = re.compile(rb"([\xa1-\xf9])[\x40-\x7e\xa1-\xfe]")
# Lead bytes of syllables in EUC-KR; those of common characters in GB 2312 extend to 0xD7.
HANGUL = range(0xB0, 0xC9)
KANA = (0xA4, 0xA5)  # lead bytes of kana in EUC-JP
MIN_CHARACTERS = 8  # to distinguish EUC-KR from GB 2312, and Big5 from Western text
PUNCTUATION = (0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97)  # quotation marks and dashes of Windows-1252


def guess(data: bytes) -> str:
    """The name of the most likely encoding."""
    if _valid(data, "utf-8"):
        return "utf-8"
    runs = _RUN.findall(data)
    even = sum(len(run) for run in runs if not len(run) % 2)
    high = sum(map(len, runs))
    kana = _SHIFT_JIS_KANA.findall(data)
    if 8 * len(kana) > high and _SHIFT_JIS.fullmatch(data) and _valid(data, "cp932"):
        return "cp932"
    if 10 * even > 8 * high:
        leads = [pair[0] for run in runs for pair in _PAIR.findall(run)]
        if 4 * sum(lead in KANA for lead in leads) > len(leads) and _valid(data, "euc_jp"):
            return "euc_jp"
        if len(leads) >= MIN_CHARACTERS and all(lead in HANGUL for lead in leads) and _valid(data, "euc_kr"):
            return "euc_kr"
        if _valid(data, "gb18030") and all(min(run) > 0x80 for run in runs):
            return "gb18030"
    big5 = [match[0] for match in _BIG5.findall(data)]
    common = sum(0xA1 <= lead <= 0xC6 for lead in big5)
    if common >= MIN_CHARACTERS and 10 * common > 8 * len(big5) and _valid(data, "big5"):
        return "big5"
    kanji = [byte for run in runs for byte in run if 0x81 <= byte <= 0x9F and byte not in PUNCTUATION]
    if len(kanji) > 1 and _SHIFT_JIS.fullmatch(data) and _valid(data, "cp932"):
        return "cp932"
    return "cp1252" if _valid(data, "cp1252") else "latin-1"


def _valid(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
