<?php
/**
 * A reading of any kind as a list of sections, in the order in which they are read. Nothing is escaped here: class-markup.php
 * does that with all of it.
 *
 * @package Almanac
 */

namespace Almanac;

/** A section has a `heading` (or ''), `paragraphs`, `facts` (name, or '', and value) and `pictures`. */
final class Sections {
	const HOROSCOPE = array( 'personal', 'health', 'profession', 'emotions', 'travel' );
	const PAIR      = array( 'overall', 'positive', 'negative', 'elements', 'idealDate' );
	const TAROT     = array( 'career', 'love', 'finance' );

	/**
	 * All that a reading says.
	 *
	 * @param array    $reading As it is published.
	 * @param array    $words   In its language; without them texts have no headings, and scores are left out.
	 * @param string[] $wanted  Of a horoscope or a pair, the names of the sections; none: all.
	 */
	public static function of( array $reading, array $words, array $wanted ): array {
		switch ( $reading['family'] ?? '' ) {
			case 'horoscope':
				return self::horoscope( $reading, $words, $wanted );
			case 'pair':
				return array_merge( self::named( $reading, self::PAIR, $words['pairSections'], $wanted ), self::scores( $reading, $words['pairScores'], $words, $wanted ) );
			case 'tarot':
				return self::tarot( $reading, $words );
			case 'cards':
				return array_map( array( self::class, 'card' ), self::lists( $reading, 'cards' ) );
			case 'spread':
				return self::places( $reading, $words, array( 'past', 'present', 'future' ) );
			case 'triangle':
				return self::places( $reading, $words, array( 'you', 'firstLove', 'secondLove' ) );
			case 'wisdom':
				return self::places( $reading, $words, array( 'yin', 'yang' ) );
		}
		return array();
	}

	private static function horoscope( array $reading, array $words, array $wanted ): array {
		$facts = array();
		foreach ( self::lists( $reading, 'luck' ) as $line ) {
			$name    = $words['luckKinds'][ $line['kind'] ?? '' ] ?? self::text( $line, 'label' );
			$facts[] = array( $name, self::text( $line, 'value' ) );
		}
		$sections = self::named( self::lists( $reading, 'sections' ), self::HOROSCOPE, $words['sections'], $wanted );
		if ( $facts && self::is_wanted( 'luck', $wanted ) ) {
			$sections[] = self::section( $words['page']['bringsLuck'] ?? '', array(), $facts );
		}
		return array_merge( $sections, self::scores( $reading, $words['sections'], $words, $wanted ) );
	}

	private static function tarot( array $reading, array $words ): array {
		$orientation = $words['orientations'][ $reading['orientation'] ?? '' ] ?? '';
		$first       = self::card( $reading );
		if ( '' !== $orientation ) {
			$first['heading'] .= " ($orientation)";
		}
		return array_merge( array( $first ), self::named( $reading, self::TAROT, $words['cardSections'], array() ) );
	}

	/** Cards that lie in places: the place and the card's name, its text, its advice. */
	private static function places( array $reading, array $words, array $places ): array {
		$sections = array();
		foreach ( $places as $place ) {
			$card           = self::lists( $reading, $place );
			$one            = self::card( $card );
			$one['heading'] = implode( ': ', array_filter( array( $words['places'][ $place ] ?? '', $one['heading'] ) ) );
			foreach ( array( 'keywords', 'advice' ) as $name ) {
				foreach ( self::paragraphs( $card, $name ) as $line ) {
					$one['facts'][] = array( $words['cardSections'][ $name ] ?? '', $line );
				}
			}
			$sections[] = $one;
		}
		return $sections;
	}

	private static function card( array $card ): array {
		$paragraphs = array_merge( self::paragraphs( $card, 'text' ), self::paragraphs( $card, 'summary' ) );
		$section    = self::section( self::text( $card, 'name' ), $paragraphs, array() );
		foreach ( self::paragraphs( $card, 'images' ) as $address ) {
			if ( Settings::is_secure( $address ) ) {
				$section['pictures'][] = $address;
			}
		}
		return $section;
	}

	private static function scores( array $reading, array $names, array $words, array $wanted ): array {
		$facts = array();
		foreach ( self::is_wanted( 'scores', $wanted ) ? $names : array() as $name => $word ) {
			$score = $reading['scores'][ $name ] ?? null;
			if ( is_int( $score ) || is_float( $score ) ) {
				$facts[] = array( $word, "$score %" );
			}
		}
		return $facts ? array( self::section( $words['page']['scores'] ?? '', array(), $facts ) ) : array();
	}

	private static function named( array $texts, array $names, array $words, array $wanted ): array {
		$sections = array();
		foreach ( $names as $name ) {
			$paragraphs = self::is_wanted( $name, $wanted ) ? self::paragraphs( $texts, $name ) : array();
			if ( $paragraphs ) {
				$sections[] = self::section( $words[ $name ] ?? '', $paragraphs, array() );
			}
		}
		return $sections;
	}

	private static function section( string $heading, array $paragraphs, array $facts ): array {
		return array(
			'heading'    => $heading,
			'paragraphs' => $paragraphs,
			'facts'      => $facts,
			'pictures'   => array(),
		);
	}

	private static function is_wanted( string $name, array $wanted ): bool {
		return ! $wanted || in_array( $name, $wanted, true );
	}

	private static function lists( array $from, string $name ): array {
		$found = $from[ $name ] ?? null;
		return is_array( $found ) ? $found : array();
	}

	private static function text( array $from, string $name ): string {
		$found = $from[ $name ] ?? null;
		return is_string( $found ) ? $found : '';
	}

	private static function paragraphs( array $from, string $name ): array {
		return array_filter( self::lists( $from, $name ), 'is_string' );
	}
}
