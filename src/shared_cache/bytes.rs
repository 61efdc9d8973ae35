//! Numbers as bytes: small ones take one.

/// Appends a number, seven bits a byte, the lowest first; the highest bit says that more follow (LEB128).
pub(super) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a number that may be negative; small ones of either sign stay small (zigzag).
pub(super) fn put_signed(bytes: &mut Vec<u8>, number: i32) {
    put_number(bytes, u64::from(((number << 1) ^ (number >> 31)) as u32));
}

/// Takes numbers off bytes that anybody may have written. `None` is the end of the bytes, or no number of its kind.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for a single bit.
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number that fits a smaller type.
    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    pub(super) fn signed(&mut self) -> Option<i32> {
        let zigzag: u32 = self.small()?;
        Some((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32))
    }

    pub(super) fn word(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let signed = [0, 1, -1, 63, -64, 20_000, -20_000, i32::MAX, i32::MIN];
        let mut bytes = Vec::new();
        for number in numbers {
            put_number(&mut bytes, number);
        }
        for number in signed {
            put_signed(&mut bytes, number);
        }
        let mut reader = Reader(&bytes);
        for number in numbers {
            assert_eq!(reader.number(), Some(number));
        }
        for number in signed {
            assert_eq!(reader.signed(), Some(number));
        }
        assert_eq!(reader.byte(), None);
    }

    #[test]
    fn what_is_no_number_is_none() {
        for bytes in [&[][..], &[0x80], &[0xff; 9], &[0xff; 10], &[0xff; 20]] {
            assert_eq!(Reader(bytes).number(), None, "{bytes:?}");
        }
        let mut two_bits_too_many = [0xff; 10];
        two_bits_too_many[9] = 3;
        assert_eq!(Reader(&two_bits_too_many).number(), None);
        assert_eq!(Reader(&[0x80, 2]).small::<u8>(), None, "256 is no byte");
    }
}
